import { useTexts } from '#src/shared/i18n/texts.ts'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { Snippet } from '#src/shared/ui/snippet.tsx'
import { jsTexts } from './js-texts.ts'

const COMMAND = 'npx appwarden jsguard dist --out dist-protected --preset medium'
const PLUGIN = `import { defineConfig } from 'vite'
import { jsguard } from './appwarden-vite-plugin.mjs'

export default defineConfig({
  plugins: [jsguard({ preset: 'medium' })],
})`

/** How to protect scripts in a build. */
export function BuildToolsDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(jsTexts)
  return (
    <Dialog isOpen title={t('tools')} width={640} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <p className="pb-3 text-muted">{t('toolsHint')}</p>
      <Snippet title={t('commandLine')} text={COMMAND} />
      <Snippet title={t('vitePlugin')} text={PLUGIN} />
    </Dialog>
  )
}
