import { platformInfo } from '#contracts/http/platform-info.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { BrandMark } from '#src/shared/ui/brand.tsx'
import { LegalText } from '#src/shared/ui/legal-text.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { PlatformText } from '#src/shared/ui/platform-text.tsx'
import { Section } from '#src/shared/ui/section.tsx'

const texts = defineTexts('about', {
  what: { zh: '移动应用安全管理平台，私有化部署', en: 'Mobile application security management, self-hosted' },
  facts: { zh: '平台', en: 'Platform' },
  product: { zh: '产品', en: 'Product' },
  version: { zh: '平台版本', en: 'Platform version' },
  zone: { zh: '统计时区', en: 'Time zone of statistics' },
  logs: { zh: '网络日志保存', en: 'Network logs kept' },
  days: { zh: '{{days}} 天（至少六个月）', en: '{{days}} days (at least six months)' },
  map: { zh: '地图审图号', en: 'Approval number of the map' },
  noMap: { zh: '未配置', en: 'Not set' },
  support: { zh: '技术支持', en: 'Support' },
  supportText: {
    zh: '7x24 小时，联系方式由部署方在安全服务中提供。',
    en: '7x24 hours; contacts come with the security service of your deployment.',
  },
  own: { zh: '平台介绍', en: 'About this platform' },
  legal: { zh: '使用条款与隐私说明', en: 'Terms of use and privacy' },
})

export default function AboutPage() {
  const t = useTexts(texts)
  const language = useLanguage()
  const { product, version, zone, logDays, mapApproval } = usePlatform()
  const about = useEndpoint(platformInfo).data?.data.about
  const facts = [
    [t('product'), product],
    [t('version'), version],
    [t('zone'), zone],
    [t('logs'), t('days', { days: logDays })],
    [t('map'), mapApproval ?? t('noMap')],
    [t('support'), t('supportText')],
  ]
  return (
    <>
      <PageTitle title={PAGES.about[language]} />
      <div className="max-w-[760px] pb-10">
        <div className="flex items-center gap-3 px-5 pb-4">
          <BrandMark size={40} />
          <div>
            <div className="text-16 font-semibold">{product}</div>
            <div className="text-muted">{t('what')}</div>
          </div>
        </div>
        <Section plain title={t('facts')} className="border-t">
          <dl className="grid grid-cols-[160px_minmax(0,1fr)] gap-x-4 px-5 pb-4 max-sm:grid-cols-1">
            {facts.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="py-1 text-muted max-sm:pb-0">{name}</dt>
                <dd className="py-1 max-sm:pt-0">{value}</dd>
              </div>
            ))}
          </dl>
        </Section>
        {about && (
          <Section plain title={t('own')} className="border-t" bodyClassName="px-5 pb-4">
            <PlatformText text={about} />
          </Section>
        )}
        <Section plain title={t('legal')} className="border-t" bodyClassName="px-5">
          <LegalText />
        </Section>
      </div>
    </>
  )
}
