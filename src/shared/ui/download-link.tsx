import { defineTexts, useTexts } from '../i18n/texts.ts'
import { Icon, type IconType } from './icon.tsx'
import { Tooltip } from './tooltip.tsx'

const texts = defineTexts('ui-download', {
  gone: { zh: '文件不存在或已删除', en: 'The file does not exist or was deleted' },
})
const SHAPE = 'inline-flex size-6 flex-none items-center justify-center rounded-small'

/** A small button that downloads by navigation; without an address it stays reachable and says why there is nothing. */
export function DownloadLink({ icon, href, label }: { icon: IconType; href: string | null; label: string }) {
  const t = useTexts(texts)
  if (href !== null)
    return (
      <a
        href={href}
        download
        aria-label={label}
        title={label}
        className={`${SHAPE} text-muted hover:bg-hover hover:text-text`}
      >
        <Icon of={icon} size={14} />
      </a>
    )
  return (
    <Tooltip text={t('gone')} focusable>
      {/* biome-ignore lint/a11y/useSemanticElements: a disabled button gets no focus, and so no tooltip */}
      <span
        role="button"
        tabIndex={0}
        aria-disabled
        aria-label={label}
        className={`${SHAPE} cursor-not-allowed text-faint`}
      >
        <Icon of={icon} size={14} />
      </span>
    </Tooltip>
  )
}
