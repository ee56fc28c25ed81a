#!/usr/bin/env bash
# Makes the release packages of a binary: linden_VERSION_ARCHITECTURE.deb and linden-VERSION-linux-ARCHITECTURE.tar.gz.
#
#   Scripts/package.sh BINARY FOLDER [VERSION]    the version is the binary's own unless another is given
#
# LINDEN_PACKAGE_COMPRESSION (of the .deb) and LINDEN_PACKAGE_LEVEL (of the .tar.gz) make tests faster.
#
# The same binary and SOURCE_DATE_EPOCH (by default the time of the last commit) give the same bytes. Prints the shared libraries that the
# binary needs and its size. Build the binary with Scripts/build-release.sh; any other needs Swift's libraries where it runs.

source "$(dirname "$0")/setup.sh"

[ $# -ge 2 ] || fail "usage: Scripts/package.sh BINARY FOLDER [VERSION]"
binary=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export LC_ALL=C TZ=UTC
umask 022

command -v python3 >/dev/null || install_packages python3
command -v strip >/dev/null || install_packages binutils
command -v dpkg-shlibdeps >/dev/null || install_packages dpkg-dev

version=${3:-$("$binary" --version | cut -d' ' -f1)}
architecture=$(dpkg --print-architecture)
date=$(date -d "@$SOURCE_DATE_EPOCH" +%F)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# MARK: The files of both packages

root=$work/root
install -d "$root"/usr/{bin,lib/systemd/system,share/doc/linden,share/man/man1} "$root/etc/linden"
install -m 755 "$binary" "$root/usr/bin/linden"
strip --strip-all "$root/usr/bin/linden"
"$binary" --experimental-dump-help | python3 Scripts/manual.py "$date" "$version" | gzip -9n >"$root/usr/share/man/man1/linden.1.gz"
install -d "$root"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
"$binary" --generate-completion-script bash >"$root/usr/share/bash-completion/completions/linden"
"$binary" --generate-completion-script zsh >"$root/usr/share/zsh/vendor-completions/_linden"
"$binary" --generate-completion-script fish >"$root/usr/share/fish/vendor_completions.d/linden.fish"
install -m 644 Config/systemd/linden.service Config/systemd/linden.socket "$root/usr/lib/systemd/system"
install -m 644 Config/debian/linden.yaml "$root/etc/linden/linden.yaml"
install -m 644 README.md SECURITY.md "$root/usr/share/doc/linden"
# What to do at an alert is read on the machine itself.
install -d "$root/usr/share/doc/linden/Documentation/images"
install -m 644 Documentation/*.md "$root/usr/share/doc/linden/Documentation"
install -m 644 Documentation/images/* "$root/usr/share/doc/linden/Documentation/images"
install -d "$root/usr/share/doc/linden/examples"
install -m 644 Config/linden.yaml Config/proxies/* Config/monitoring/* "$root/usr/share/doc/linden/examples"
for part in cluster container helm/linden helm/linden/templates; do
    install -d "$root/usr/share/doc/linden/examples/$part"
    find "Config/$part" -maxdepth 1 -type f -exec install -m 644 -t "$root/usr/share/doc/linden/examples/$part" {} +
done
install -m 644 CHANGELOG.md LICENSE "$root/usr/share/doc/linden"
python3 Scripts/packaged-pages.py "$root/usr/share/doc/linden"
maintainer="The Linden project <linden@localhost>"
printf 'linden (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" "$maintainer" "$(date -R -d "@$SOURCE_DATE_EPOCH")" \
    | gzip -9n >"$root/usr/share/doc/linden/changelog.gz"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\nCopyright: the contributors of Linden\nLicense: Expat\n'
    sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
} >"$root/usr/share/doc/linden/copyright"

# MARK: The .deb

deb=$work/deb
cp -a "$root" "$deb"
install -d "$deb/DEBIAN" "$work/debian"
install -m 755 Config/debian/postinst Config/debian/prerm Config/debian/postrm "$deb/DEBIAN"
echo /etc/linden/linden.yaml >"$deb/DEBIAN/conffiles"
printf 'Source: linden\n\nPackage: linden\nArchitecture: any\n' >"$work/debian/control"
# The packages of the libraries, in the versions that have the binary's symbols. Libraries of no package are those of Swift itself.
libraries=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info "$root/usr/bin/linden" 2>/dev/null | sed 's/^shlibs:Depends=//')
cat >"$deb/DEBIAN/control" <<CONTROL
Package: linden
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root" | cut -f1)
Depends: $libraries, adduser
Recommends: ca-certificates
Suggests: nginx | caddy
Section: web
Priority: optional
Description: self-hosted deep links and attribution for mobile apps
 Serves the stock SDKs of Branch: short links, clicks, deferred deep links,
 sessions, events and referral credits, from one binary and one SQLite file.
CONTROL
(cd "$deb" && find etc usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
chmod 644 "$deb"/DEBIAN/{control,conffiles,md5sums}
find "$deb" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
# One thread: the bytes of several depend on their number.
dpkg-deb --root-owner-group "-Z${LINDEN_PACKAGE_COMPRESSION:-xz}" --threads-max=1 --build "$deb" "$folder/linden_${version}_$architecture.deb" >/dev/null

# MARK: The .tar.gz

name=linden-$version-linux-$(uname -m)
install -d "$work/$name"
cp -a "$root/usr/bin" "$root/usr/share" "$work/$name"
cp -a "$root/usr/lib/systemd/system" "$work/$name/systemd"
install -m 644 Config/linden.yaml LICENSE "$work/$name"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -C "$work" -cf - "$name" \
    | gzip -"${LINDEN_PACKAGE_LEVEL:-9}" -n >"$folder/$name.tar.gz"

say "Shared libraries that the binary needs"
ldd "$root/usr/bin/linden" | awk '{ print $1 }' | sort >&2
say "Packages: $libraries"
say "Size: $(($(stat -c %s "$root/usr/bin/linden") >> 20)) MiB stripped"
(cd "$folder" && sha256sum "linden_${version}_$architecture.deb" "$name.tar.gz" | tee SHA256SUMS)
