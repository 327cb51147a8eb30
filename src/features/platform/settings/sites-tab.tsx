import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { applicationList, setApplicationSite } from '#contracts/http/applications.ts'
import { deleteSite, type Site, saveSite, siteList } from '#contracts/http/sites.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { SettingsTable } from './settings-table.tsx'
import { settingsTexts } from './settings-texts.ts'

/** Own sites, and which of them each application names. */
export function SitesTab() {
  const t = useTexts(settingsTexts)
  const answer = useEndpoint(siteList)
  const [editing, setEditing] = useState<Site | 'new' | null>(null)
  const remove = useAction(deleteSite, {
    refreshes: [siteList, applicationList],
    onSuccess: () => deleted(),
  })
  const sites = answer.data?.data
  return (
    <>
      <Section
        plain
        title={t('sites')}
        note={t('sitesNote')}
        state={answer.isPending ? 'loading' : 'ready'}
        actions={
          <Button icon={Plus} variant="primary" onPress={() => setEditing('new')}>
            {t('create')}
          </Button>
        }
        className="pt-2"
      >
        {answer.error && !sites ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : sites?.length === 0 ? (
          <EmptyState kind="none" title={t('sitesNone')} />
        ) : (
          <SettingsTable
            label={t('sites')}
            rows={sites ?? []}
            columns={[
              { id: 'name', title: t('name'), cell: (site) => site.name },
              { id: 'en', title: t('nameEn'), cell: (site) => site.name_en || '–' },
              { id: 'lon', title: t('longitude'), cell: (site) => site.longitude.toFixed(4), end: true },
              { id: 'lat', title: t('latitude'), cell: (site) => site.latitude.toFixed(4), end: true },
              {
                id: 'actions',
                title: '',
                end: true,
                cell: (site) => (
                  <>
                    <IconButton
                      size="small"
                      icon={Pencil}
                      label={`${t('edit')} ${site.name}`}
                      onPress={() => setEditing(site)}
                    />
                    <IconButton
                      size="small"
                      icon={Trash2}
                      label={`${t('remove')} ${site.name}`}
                      onPress={async () => {
                        const text = t('removeSite', { name: site.name })
                        if (await confirmDeletion({ title: t('remove'), text, action: t('remove') }))
                          remove.mutate({ body: { id: site.id } })
                      }}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </Section>
      {sites && sites.length > 0 && <ApplicationSites sites={sites} />}
      {editing && <SiteDialog site={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </>
  )
}

function ApplicationSites({ sites }: { sites: readonly Site[] }) {
  const t = useTexts(settingsTexts)
  const answer = useEndpoint(applicationList)
  const set = useAction(setApplicationSite, {
    refreshes: [applicationList],
    onSuccess: () => toast.success(t('saved')),
  })
  const choices = [{ id: '', label: t('noSite') }, ...sites.map((site) => ({ id: site.id, label: site.name }))]
  return (
    <Section plain title={t('appSite')} state={answer.isPending ? 'loading' : 'ready'} className="pt-4">
      <SettingsTable
        label={t('appSite')}
        rows={answer.data?.object_list ?? []}
        columns={[
          { id: 'app', title: t('app'), cell: (application) => application.name },
          {
            id: 'site',
            title: t('sites'),
            cell: (application) => (
              <Select
                label={`${t('sites')} ${application.name}`}
                hideLabel
                size="small"
                className="w-52"
                isDisabled={!application.manageable}
                value={application.site ?? ''}
                items={choices}
                onChange={(site) => set.mutate({ body: { appid: application.id, site: site || null } })}
              />
            ),
          },
        ]}
      />
    </Section>
  )
}

function SiteDialog({ site, onClose }: { site: Site | null; onClose: () => void }) {
  const t = useTexts(settingsTexts)
  const [form, setForm] = useState({
    name: site?.name ?? '',
    name_en: site?.name_en ?? '',
    longitude: site ? String(site.longitude) : '',
    latitude: site ? String(site.latitude) : '',
  })
  const [tried, setTried] = useState(false)
  const save = useAction(saveSite, {
    refreshes: [siteList],
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  const errors = {
    name: form.name.trim() ? undefined : t('nameEmpty'),
    longitude: within(form.longitude, 180) ? undefined : t('range', { min: -180, max: 180 }),
    latitude: within(form.latitude, 85) ? undefined : t('range', { min: -85, max: 85 }),
  }
  const field = (name: keyof typeof form) => ({
    label: t(name === 'name_en' ? 'nameEn' : name),
    value: form[name],
    onChange: (value: string) => setForm({ ...form, [name]: value }),
    error: tried && name !== 'name_en' ? errors[name] : undefined,
  })
  function submit(): void {
    setTried(true)
    if (Object.values(errors).some(Boolean)) return
    save.mutate({
      body: {
        ...(site && { id: site.id }),
        name: form.name,
        name_en: form.name_en,
        longitude: Number(form.longitude),
        latitude: Number(form.latitude),
      },
    })
  }
  return (
    <FormDialog
      title={site ? t('edit') : t('create')}
      submitLabel={t('save')}
      isDisabled={save.isPending}
      onSubmit={submit}
      onClose={onClose}
      className="grid grid-cols-2 gap-4"
    >
      <TextField {...field('name')} maxLength={40} isRequired autoFocus />
      <TextField {...field('name_en')} maxLength={40} />
      <TextField {...field('longitude')} isRequired />
      <TextField {...field('latitude')} isRequired />
    </FormDialog>
  )
}

function within(text: string, most: number): boolean {
  return text.trim() !== '' && Math.abs(Number(text)) <= most
}
