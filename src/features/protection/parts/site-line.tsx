import { Link } from 'react-router-dom'
import { type Application, applicationList, assumeSite } from '#contracts/http/applications.ts'
import { saveSite, siteList } from '#contracts/http/sites.ts'
import { PAGES } from '#contracts/pages.ts'
import { placeOfZone } from '#domain/zone-places.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { setApplicationList } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { constructionTexts } from './construction-texts.ts'

const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Gives an application without a site the one of the browser's time zone, so that its first event is an arc. */
export function useAssumeSite({ id, site, manageable }: Application): () => void {
  const may = useMay('application.create')
  const assume = useAction(assumeSite, {
    quiet: true,
    refreshes: [siteList, applicationList],
    onSuccess: ({ object_list }) => setApplicationList(object_list),
  })
  return () => {
    if (may && manageable && site === null && !assume.isPending)
      assume.mutate({ body: { appid: id, time_zone: browserZone() } })
  }
}

/** Where the arcs of the application end: named, assumed until somebody confirms it, or what would be assumed. */
export function SiteLine({ application }: { application: Application }) {
  const t = useTexts(constructionTexts)
  const language = useLanguage()
  const mayCreate = useMay('application.create')
  const maySettings = useMay('platform.settings')
  const { data } = useEndpoint(siteList)
  const save = useAction(saveSite, { refreshes: [siteList], onSuccess: () => toast.success(t('siteConfirmed')) })
  if (!data) return null
  const site = data.data.find((one) => one.id === application.site)
  const zone = browserZone()
  const proposed = mayCreate && application.manageable ? placeOfZone(zone) : null
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 rounded border px-4 py-1" data-testid="site">
      <h3 className="font-semibold">{t('site')}</h3>
      {site ? (
        <>
          <span>{language === 'en' && site.name_en ? site.name_en : site.name}</span>
          {site.assumed && <Chip tone="warn">{t('assumed')}</Chip>}
          <span className="text-12 text-muted">{site.assumed ? t('siteOf', { zone }) : t('siteText')}</span>
          <span className="ml-auto flex items-center gap-1">
            {site.assumed && maySettings && (
              <Button
                size="small"
                isDisabled={save.isPending}
                onPress={() => {
                  const { assumed: _, ...body } = site
                  save.mutate({ body })
                }}
              >
                {t('siteConfirm')}
              </Button>
            )}
            {maySettings && (
              <Link to={`${PAGES.settings.path}?tab=sites`} className={buttonClass('quiet', 'small')}>
                {t('siteChange')}
              </Link>
            )}
          </span>
        </>
      ) : (
        <span className="text-12 text-muted">
          {proposed ? t('siteProposed', { name: proposed[language], zone }) : t('siteNone')}
        </span>
      )}
    </div>
  )
}
