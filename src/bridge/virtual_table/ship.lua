-- A stand-in for the script of the mod's ships.
__XW_Ship = true
cmdBusy = false
local tokens = {}

function AddToken(arguments)
  tokens[arguments.token.getGUID()] = arguments.token
end

function RemoveToken(arguments)
  tokens[arguments.token.getGUID()] = nil
end

function GetTokens(arguments)
  local list = {}
  local wanted = arguments ~= nil and arguments.type or nil
  local guids = {}
  for guid in pairs(tokens) do
    guids[#guids + 1] = guid
  end
  table.sort(guids, function(a, b) return a < b end)
  for _, guid in ipairs(guids) do
    local token = tokens[guid]
    if getObjectFromGUID(guid) ~= nil and (wanted == nil or token.getVar("__XW_TokenType") == wanted) then
      list[#list + 1] = token
    end
  end
  return list
end

-- Where the turret indicators point: part of what the ship saves.
function GetAssignedMounts()
  local mounts = {}
  for mount in pairs(turret_arcs) do
    mounts[#mounts + 1] = mount
  end
  return mounts
end

function GetTurretArc(arguments)
  return turret_arcs[arguments.mount or "main"]
end

function SetTurretArc(arguments)
  if turret_arcs[arguments.mount or "main"] ~= nil then
    turret_arcs[arguments.mount or "main"] = arguments.arc
  end
end
