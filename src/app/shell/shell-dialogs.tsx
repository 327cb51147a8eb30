import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { pageOf } from '#contracts/pages.ts'
import { SETTLED_MS } from './settled.ts'

export type ShellDialog = 'password' | 'second-factor' | 'platform' | 'color' | 'keys' | 'palette' | 'errors' | 'help'

// Seldom opened: they come when they are.
const ColorDialog = lazy(async () => ({ default: (await import('./color-dialog.tsx')).ColorDialog }))
const ErrorLogDialog = lazy(async () => ({ default: (await import('./error-log-dialog.tsx')).ErrorLogDialog }))
const KeyboardSheet = lazy(async () => ({
  default: (await import('../actions/keyboard-shortcuts.tsx')).KeyboardShortcuts,
}))
const HelpDrawer = lazy(() => import('#src/features/knowledge/parts/help-drawer.tsx'))
const PlatformDialog = lazy(async () => ({ default: (await import('./platform-dialog.tsx')).PlatformDialog }))
const loadPalette = () => import('../actions/command-palette.tsx')
const CommandPalette = lazy(loadPalette)
const PasswordDialog = lazy(() => import('#src/shared/account/password-dialog.tsx'))
const SecondFactorDialog = lazy(() => import('#src/shared/account/second-factor-dialog.tsx'))

/** The one dialog of the shell that is open, if any. */
export function ShellDialogs({
  open,
  onOpen,
  onClose,
}: {
  open: ShellDialog | null
  onOpen: (dialog: ShellDialog) => void
  onClose: () => void
}) {
  const page = pageOf(useLocation().pathname)
  const [hasPassword, setHasPassword] = useState(false)
  if (open === 'password' && !hasPassword) setHasPassword(true)
  useEffect(() => {
    // So that the first Ctrl+K does not wait for it, nor for the network. A server that is away now is asked again when the palette is opened.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Suspense>
      {/* Stays mounted once it was opened: its success outlives the dialog. */}
      {hasPassword && <PasswordDialog isOpen={open === 'password'} onClose={onClose} />}
      {open === 'second-factor' && <SecondFactorDialog onClose={onClose} />}
      {open === 'platform' && <PlatformDialog onClose={onClose} />}
      {open === 'color' && <ColorDialog onClose={onClose} />}
      {open === 'errors' && <ErrorLogDialog onClose={onClose} />}
      {open === 'keys' && <KeyboardSheet onClose={onClose} onHelp={() => onOpen('help')} />}
      {open === 'help' && page && <HelpDrawer key={page} page={page} onClose={onClose} onKeys={() => onOpen('keys')} />}
      {open === 'palette' && <CommandPalette onClose={onClose} />}
    </Suspense>
  )
}
