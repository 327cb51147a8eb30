import { applicationList } from '#contracts/http/applications.ts'
import { call } from '../api/call.ts'
import { setApplicationList } from '../session/application-store.ts'

/** Reads the caller's applications anew: after something made, changed or removed one. */
export async function loadApplications(): Promise<void> {
  setApplicationList((await call(applicationList, {})).object_list)
}
