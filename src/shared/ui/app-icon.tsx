import { useState } from 'react'
import { Avatar } from './avatar.tsx'

/** The icon of a package, or initials where it has none that can be drawn. */
export function AppIcon({ name, icon, size = 24 }: { name: string; icon: string | null; size?: 20 | 24 | 26 | 40 }) {
  const [broken, setBroken] = useState(false)
  if (icon === null || broken) return <Avatar name={name} shape="square" size={size} />
  return (
    <img
      src={icon}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      onError={() => setBroken(true)}
      className="flex-none object-contain"
      style={{ width: size, height: size }}
    />
  )
}
