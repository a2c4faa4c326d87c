#!/usr/bin/env bash
# Builds the program for Windows on Debian and tries it under wine: `scripts/check-windows.sh [CACHE_FOLDER]`.
#
# For before a release, by hand: it takes minutes and about 4 GB in the cache folder. Nothing is installed; Debian's packages
# are fetched with apt and unpacked into the cache folder. It is a check only: a release is built on Windows itself.
set -euo pipefail
cd "$(dirname "$0")/.."

cache=$(realpath -m "${1:-${XDG_CACHE_HOME:-$HOME/.cache}/tallyho-windows}")
root=$cache/root
target=x86_64-pc-windows-gnu
mkdir -p "$cache"

# A compiler whose standard library comes as source (rustup's parts are not Debian's), a C compiler and linker, and wine.
if [ ! -e "$cache/complete" ]; then
  packages=$(apt-get install --simulate --no-install-recommends \
    rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64-win32 wine64 | awk '/^Inst/ { print $2 }')
  rm -rf "$cache/packages" "$root"
  mkdir -p "$cache/packages" "$root"
  # shellcheck disable=SC2086 # one word a package
  (cd "$cache/packages" && apt-get download $packages)
  for package in "$cache"/packages/*.deb; do dpkg -x "$package" "$root"; done
  rm -rf "$cache/packages"
  ln -sf x86_64-w64-mingw32-gcc-win32 "$root/usr/bin/x86_64-w64-mingw32-gcc"
  # What the packages' own installation would have linked.
  ln -sf wineserver64 "$root/usr/lib/wine/wineserver"
  touch "$cache/complete"
fi
gcc=$root/usr/bin/x86_64-w64-mingw32-gcc
export LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu/pulseaudio
export PATH=$root/usr/bin:$PATH

echo "== build"
env -u RUSTUP_TOOLCHAIN RUSTC="$root/usr/bin/rustc" RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$cache/target" \
  CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER="$gcc" CC_x86_64_pc_windows_gnu="$gcc" \
  AR_x86_64_pc_windows_gnu="$root/usr/bin/x86_64-w64-mingw32-ar" \
  "$root/usr/bin/cargo" build --locked --profile "${PROFILE:-release}" -Zbuild-std=std,panic_unwind --target "$target" --bin tallyho
built=$cache/target/$target/${PROFILE:-release}
[ "${PROFILE:-}" != dev ] || built=$cache/target/$target/debug
mkdir -p "$cache/run"
cp "$built/tallyho.exe" "$cache/run/"
ls -l "$cache/run/tallyho.exe"

# Debian's wine has no bcryptprimitives.dll, from which Rust's standard library takes one function.
cat >"$cache/prng.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, (ULONG)size); }
C
"$gcc" -shared "$cache/prng.c" -o "$cache/run/bcryptprimitives.dll" -ladvapi32

export WINEPREFIX=$cache/prefix WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
export WINESERVER=$root/usr/lib/wine/wineserver64 WINEDLLPATH=$root/usr/lib/x86_64-linux-gnu/wine
rm -rf "$WINEPREFIX"
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; "$WINESERVER" -k || true' EXIT
wine() { timeout 300 "$root/usr/lib/wine/wine64" "$@"; }
tallyho() { wine "$cache/run/tallyho.exe" "$@"; }

echo "== wine"
# Wine's own libraries need it, and it is no part of wine.
mkdir -p "$WINEPREFIX/drive_c/windows/system32"
cp "$root/usr/x86_64-w64-mingw32/lib/zlib1.dll" "$WINEPREFIX/drive_c/windows/system32/"
wine wineboot --init
user=$(echo "$WINEPREFIX"/drive_c/users/*/AppData)
user=${user%/AppData}
# Wine links this one to the home folder of whoever runs this; the program shall write into none of his.
rm -f "$user/Documents"
mkdir -p "$user/Documents/My Games/Tabletop Simulator/Saves"
cp examples/tie-after-xwing.txt "$WINEPREFIX/drive_c/position.txt"

echo "== run"
tallyho --version
tallyho decide 'C:\position.txt' >/dev/null
tallyho catalog list >/dev/null
tallyho install tts --print >/dev/null
tallyho install tts | head -1
[ -s "$user/Documents/My Games/Tabletop Simulator/Saves/Saved Objects/Tallyho controller.json" ]
tallyho demo --rounds 1 --out 'C:\' | tail -1
[ -s "$WINEPREFIX/drive_c/demo.svg" ]
tallyho serve --port 0 >"$cache/serve.out" &
server=$!
for _ in $(seq 100); do [ -s "$cache/serve.out" ] && break; sleep 0.1; done
tallyho status
code=0
tallyho serve --port 0 || code=$?
[ "$code" = 3 ] || { echo "a second server ended with $code, not 3"; exit 1; }
echo "All well."
