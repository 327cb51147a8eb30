import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from './button.tsx'

const texts = defineTexts('outdated', {
  outdated: {
    zh: '编辑期间，其他人已保存了新的内容。您填写的内容还没有保存。',
    en: 'Somebody else saved a newer version while you were editing. What you wrote is not saved yet.',
  },
  keepMine: { zh: '保留我填写的内容', en: 'Keep what I wrote' },
  discardMine: { zh: '放弃我填写的内容', en: 'Discard what I wrote' },
})

/** Above an editor whose row another user has saved meanwhile: the person decides what stays. */
export function OutdatedBar({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const t = useTexts(texts)
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded bg-neutral px-3 py-1.5 text-12">
      <span className="min-w-0 flex-1">{t('outdated')}</span>
      <Button size="small" onPress={onKeep}>
        {t('keepMine')}
      </Button>
      <Button size="small" onPress={onDiscard}>
        {t('discardMine')}
      </Button>
    </div>
  )
}
