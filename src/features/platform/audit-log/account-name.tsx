import { Cpu, SquareTerminal, UserRound } from 'lucide-react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { logTexts } from './log-texts.ts'

/** What acts without an account, by the name that entries have. */
const OTHERS = {
  system: { text: 'system', icon: Cpu },
  'command line': { text: 'commandLine', icon: SquareTerminal },
  '': { text: 'unknownAccount', icon: UserRound },
} as const satisfies Record<string, { text: string; icon: IconType }>

/** Who did it: an account with its initial, or the product itself with a symbol. */
export function AccountName({ account }: { account: string }) {
  const t = useTexts(logTexts)
  const other = Object.hasOwn(OTHERS, account) ? OTHERS[account as keyof typeof OTHERS] : undefined
  return (
    <span className="flex min-w-0 items-center gap-2">
      {other ? (
        <span className="inline-flex size-5 flex-none items-center justify-center rounded-full bg-neutral text-muted">
          <Icon of={other.icon} size={12} />
        </span>
      ) : (
        <Avatar name={account} size={20} />
      )}
      <span className="text-clip-line min-w-0">{other ? t(other.text) : account}</span>
    </span>
  )
}
