import PasswordDialog from '#src/shared/session/password-dialog.tsx'
import { KeyboardSheet } from '../actions/keyboard-sheet.tsx'
import { Palette } from '../actions/palette.tsx'
import { ColorDialog } from './color-dialog.tsx'
import { ErrorLogDialog } from './error-log-dialog.tsx'
import { PlatformDialog } from './platform-dialog.tsx'

export type ShellDialog = 'password' | 'platform' | 'color' | 'keys' | 'palette' | 'errors'

/** The one dialog of the shell that is open, if any. */
export function ShellDialogs({ open, onClose }: { open: ShellDialog | null; onClose: () => void }) {
  return (
    <>
      {/* Stays mounted: its success outlives the dialog. */}
      <PasswordDialog isOpen={open === 'password'} onClose={onClose} />
      {open === 'platform' && <PlatformDialog onClose={onClose} />}
      {open === 'color' && <ColorDialog onClose={onClose} />}
      {open === 'errors' && <ErrorLogDialog onClose={onClose} />}
      {open === 'keys' && <KeyboardSheet onClose={onClose} />}
      {open === 'palette' && <Palette onClose={onClose} />}
    </>
  )
}
