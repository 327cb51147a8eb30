import { Link } from 'react-router-dom'
import type { PiratedCertificate } from '#contracts/http/monitoring/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { defineTexts, useTexts } from '../i18n/texts.ts'

const texts = defineTexts('pirated-copy', {
  copy: { zh: '盗版副本 {{name}}', en: 'Pirated copy {{name}}' },
  more: { zh: '盗版副本 {{name}} 等 {{count}} 个', en: 'Pirated copy {{name}} and others ({{count}})' },
})

/** Leads from a certificate that a device reported to the copy in a market that it signs. */
export function PiratedCopyLink({ of }: { of: PiratedCertificate }) {
  const t = useTexts(texts)
  return (
    <Link
      className="text-clip-line text-brand-text hover:underline"
      to={`${PAGES.monitor_task.path.replace(':id', of.task)}?copy=${of.copy}`}
    >
      {t(of.copies > 1 ? 'more' : 'copy', { name: `${of.label} ${of.version}`.trim(), count: of.copies })}
    </Link>
  )
}
