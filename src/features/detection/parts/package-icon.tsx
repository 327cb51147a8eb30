import { Avatar } from '#src/shared/ui/avatar.tsx'

/** The icon of a package, or the first letter of its name where it has none. */
export function PackageIcon({ icon, name }: { icon: string | null; name: string }) {
  if (icon === null) return <Avatar name={name} shape="square" size={26} />
  return <img src={icon} alt="" width={26} height={26} className="flex-none rounded-small" />
}
