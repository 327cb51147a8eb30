import { applicationList } from '#contracts/http/applications.ts'
import { call } from '../api/call.ts'
import { setApplicationList } from '../session/application-store.ts'

/** Reads the caller's applications again, after one was created, changed or removed. */
export async function loadApplications(): Promise<void> {
  setApplicationList((await call(applicationList, {})).object_list)
}
