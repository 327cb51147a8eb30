import { useTexts } from '../i18n/texts.ts'
import { useSession } from '../session/session-store.ts'
import { Button } from '../ui/button.tsx'
import { copyToClipboard } from '../ui/copy-text.tsx'
import { toast } from '../ui/toast.ts'
import { secondFactorTexts } from './second-factor-texts.ts'

/** Recovery codes, which are shown this once: to copy, or as a file. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const t = useTexts(secondFactorTexts)
  const username = useSession((state) => state.user?.username ?? '')
  const text = `AppWarden  ${username}\n\n${codes.join('\n')}\n`
  return (
    <div className="space-y-4">
      <p className="rounded bg-warn-soft px-3 py-2 text-warn-text">{t('codesOnce')}</p>
      <ol className="grid grid-cols-2 gap-x-6 gap-y-1 rounded border bg-code px-4 py-3 font-mono text-14">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex gap-2">
        <Button
          onPress={async () => {
            if (await copyToClipboard(text)) toast.success(t('copied'))
          }}
        >
          {t('copy')}
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="appwarden-recovery-codes.txt"
          className="inline-flex h-8 items-center rounded border border-line-strong px-3 hover:bg-hover"
        >
          {t('download')}
        </a>
      </div>
    </div>
  )
}
