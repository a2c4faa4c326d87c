-- A stand-in for the script of the mod's dice. Which kind it is, its bag says.
dicecolor = dicecolor or "Green"
diceValues = {
  Red = { "Blank", "Eye", "Hit", "Hit", "Blank", "Eye", "Hit", "Crit" },
  Green = { "Blank", "Eye", "Evade", "Evade", "Blank", "Eye", "Evade", "Blank" },
}
