import { suppress } from '#contracts/http/detection/result.ts'
import { useSession } from '#src/shared/session/session-store.ts'

/** Whether the account may ask for a suppression; approving it is another matter. */
export function useMaySuppress(): boolean {
  const { access } = suppress
  return useSession(
    (state) =>
      typeof access !== 'string' && (state.user?.auth_list.some((one) => access.some((item) => item === one)) ?? false),
  )
}
