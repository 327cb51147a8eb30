import { type Application, createApplication, deleteApplication } from '#contracts/http/applications.ts'
import { PAGES } from '#contracts/pages.ts'
import { loadApplications } from '#src/shared/account/load-applications.ts'
import { call } from '#src/shared/api/call.ts'
import { translate } from '#src/shared/i18n/texts.ts'
import { setApplicationList, setCurrentApplication } from '#src/shared/session/application-store.ts'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { applicationTexts } from './application-texts.ts'

/** What happens around an application (APP-03, APP-05): create, choose, delete. They answer where to go next. */

/** User analysis of this application: where creation and deletion lead. */
function analysisOf(id: string): string {
  return `${PAGES.user_analysis.path}?appid=${id}`
}

/** The first item of the returned list becomes current. Throws ApiError, which the dialog shows. */
export async function create(name: string, platforms: readonly (1 | 2)[]): Promise<string> {
  const { object_list } = await call(
    createApplication,
    { body: { name: name.trim(), mimetype_list: [...platforms] } },
    { quiet: true },
  )
  const first = object_list[0]
  if (first) setCurrentApplication(first.id)
  setApplicationList(object_list)
  toast.success(translate(applicationTexts, 'created'))
  return first ? analysisOf(first.id) : '/'
}

/** The application that a package was uploaded to becomes current. */
export async function openUploaded(appid: string | null): Promise<string> {
  await loadApplications()
  if (appid === null) return PAGES.assets.path
  setCurrentApplication(appid)
  return analysisOf(appid)
}

/** Asks, deletes, makes the first remaining one current. Answers null when the user says no. */
export async function remove(application: Application): Promise<string | null> {
  const yes = await confirmDeletion({
    title: translate(applicationTexts, 'removeTitle'),
    text: translate(applicationTexts, 'removeText', { name: application.name }),
    action: translate(applicationTexts, 'removeAction'),
    typed: application.name,
  })
  if (!yes) return null
  const { object_list } = await call(deleteApplication, { body: { appid: application.id } })
  deleted()
  const first = object_list[0]
  if (first) setCurrentApplication(first.id)
  else setCurrentApplication('all', false)
  setApplicationList(object_list)
  return first ? analysisOf(first.id) : '/'
}
