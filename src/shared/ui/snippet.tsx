import { defineTexts, useTexts } from '../i18n/texts.ts'
import { Button } from './button.tsx'
import { copyToClipboard } from './copy-text.tsx'

const texts = defineTexts('ui-snippet', { copy: { zh: '复制', en: 'Copy' } })

/** A command to paste into a terminal. */
export function Snippet({ title, text }: { title: string; text: string }) {
  const t = useTexts(texts)
  return (
    <div className="mt-4">
      <div className="mb-1.5 flex items-center justify-between">
        <h3>{title}</h3>
        <Button size="small" onPress={() => void copyToClipboard(text)}>
          {t('copy')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto rounded border bg-code px-3 py-2 text-12/[18px]">
        {text}
      </pre>
    </div>
  )
}
