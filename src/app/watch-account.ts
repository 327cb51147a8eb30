import { userGroup } from '#contracts/http/accounts.ts'
import { loadApplications } from '#src/shared/account/load-applications.ts'
import { call } from '#src/shared/api/call.ts'
import { pageConnection } from '#src/shared/live/page-connection.ts'
import { useSession } from '#src/shared/session/session-store.ts'
import { queryClient } from './query-client.ts'

/**
 * Reads the account again whenever the live connection says that it may have changed: menu, pages and data follow. A session that has ended
 * is left to the next call, as everywhere else. `onChange`: the route is to be checked again. Answers what ends the watch.
 */
export function watchAccount(onChange: () => void): () => void {
  return pageConnection().onAccountChange(() => {
    void follow(onChange).catch(() => undefined)
  })
}

async function follow(onChange: () => void): Promise<void> {
  const { data } = await call(userGroup, {}, { quiet: true })
  const { user } = useSession.getState()
  if (!user) return
  await loadApplications()
  const isSame = user.role === data.role && [...user.auth_list].sort().join() === [...data.auth_list].sort().join()
  if (isSame) return
  useSession.setState({ user: data })
  onChange()
  await queryClient.invalidateQueries()
}
