import { lazy, Suspense, useState } from 'react'
import { CommandPalette } from '../actions/command-palette.tsx'

export type ShellDialog = 'password' | 'second-factor' | 'platform' | 'color' | 'keys' | 'palette' | 'errors'

// Seldom opened: they come when they are.
const ColorDialog = lazy(async () => ({ default: (await import('./color-dialog.tsx')).ColorDialog }))
const ErrorLogDialog = lazy(async () => ({ default: (await import('./error-log-dialog.tsx')).ErrorLogDialog }))
const KeyboardSheet = lazy(async () => ({
  default: (await import('../actions/keyboard-shortcuts.tsx')).KeyboardShortcuts,
}))
const PlatformDialog = lazy(async () => ({ default: (await import('./platform-dialog.tsx')).PlatformDialog }))
const PasswordDialog = lazy(() => import('#src/shared/account/password-dialog.tsx'))
const SecondFactorDialog = lazy(() => import('#src/shared/account/second-factor-dialog.tsx'))

/** The one dialog of the shell that is open, if any. */
export function ShellDialogs({ open, onClose }: { open: ShellDialog | null; onClose: () => void }) {
  const [hasPassword, setHasPassword] = useState(false)
  if (open === 'password' && !hasPassword) setHasPassword(true)
  return (
    <Suspense>
      {/* Stays mounted once it was opened: its success outlives the dialog. */}
      {hasPassword && <PasswordDialog isOpen={open === 'password'} onClose={onClose} />}
      {open === 'second-factor' && <SecondFactorDialog onClose={onClose} />}
      {open === 'platform' && <PlatformDialog onClose={onClose} />}
      {open === 'color' && <ColorDialog onClose={onClose} />}
      {open === 'errors' && <ErrorLogDialog onClose={onClose} />}
      {open === 'keys' && <KeyboardSheet onClose={onClose} />}
      {open === 'palette' && <CommandPalette onClose={onClose} />}
    </Suspense>
  )
}
