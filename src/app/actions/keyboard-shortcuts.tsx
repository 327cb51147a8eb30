import { CircleHelp } from 'lucide-react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { type Action, useOfferedActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { Kbd } from '#src/shared/ui/kbd.tsx'
import { actionTexts } from './action-texts.ts'
import { KeyHint } from './key-hint.tsx'

/** Every key that works here now, made from the registry. */
export function KeyboardShortcuts({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const t = useTexts(actionTexts)
  const actions = useOfferedActions().filter((one) => one.keys)
  const groups = [...new Set(actions.map((one) => one.group))]
  return (
    <Dialog title={t('keys')} isOpen onOpenChange={onClose} width={760}>
      <p className="mb-3 flex items-center justify-between gap-3 text-12 text-muted">
        {t('keysNote')}
        <Button size="small" icon={CircleHelp} onPress={onHelp}>
          {t('help')}
        </Button>
      </p>
      <div className="gap-8 sm:columns-2">
        {groups.map((group) => (
          <KeyGroup key={group} title={group} list={actions.filter((one) => one.group === group)} />
        ))}
        <dl className="break-inside-avoid">
          <div className="flex h-8 items-center justify-between border-b">
            <dt>{t('escape')}</dt>
            <dd>
              <Kbd>Esc</Kbd>
            </dd>
          </div>
        </dl>
      </div>
    </Dialog>
  )
}

function KeyGroup({ title, list }: { title: string; list: readonly Action[] }) {
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="mb-1 text-12 text-muted">{title}</h3>
      <dl>
        {list.map((action) => (
          <div key={action.id} className="flex h-8 items-center justify-between gap-3 border-b">
            <dt className="text-clip-line">{action.label}</dt>
            <dd>
              <KeyHint keys={action.keys as string} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
