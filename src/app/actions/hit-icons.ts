import {
  BookOpen,
  Bug,
  Copy,
  Folder,
  Layers,
  ListChecks,
  Package,
  ShieldAlert,
  Smartphone,
  UserRound,
  UserRoundCog,
  Zap,
} from 'lucide-react'
import type { SearchKind } from '#contracts/http/search.ts'
import type { IconType } from '#src/shared/ui/icon.tsx'

export const HIT_ICONS: Record<SearchKind, IconType> = {
  application: Layers,
  package: Package,
  copy: Copy,
  device: Smartphone,
  user: UserRound,
  event: Zap,
  finding: Bug,
  rule: ListChecks,
  vulnerability: ShieldAlert,
  article: BookOpen,
  case: Folder,
  account: UserRoundCog,
}
