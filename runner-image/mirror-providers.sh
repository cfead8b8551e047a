#!/bin/sh
# Usage: mirror-providers.sh LISTS MIRROR
#
# Installs what LISTS/ENGINE/*/*.tf require and puts it into MIRROR as unpacked packages, for the platform it runs on.
# "terraform providers mirror" would make packed ones: every check would unpack 700 MB again, where it now makes a link.
# The engine verifies signatures and checksums as it always does.
set -eu
lists=$1
mirror=$2
mkdir -p "$mirror"

for engine in terraform tofu; do
  for list in "$lists/$engine"/*/; do
    [ -d "$list" ] || continue
    work=$(mktemp -d)
    cp "$list"*.tf "$work"
    "$engine" -chdir="$work" init -input=false -no-color -backend=false
    # Packages that come from another mirror are links.
    cp -RL "$work/.terraform/providers/." "$mirror"
    rm -rf "$work"
  done
done

# Programs that get credentials: nobody but root may change them.
chmod -R u=rwX,go=rX "$mirror"
