import { beginOidc, finishOidc } from '#contracts/http/oidc.ts'
import { exchange } from '#src/shared/api/exchange.ts'
import { begun } from '#src/shared/api/session.ts'

/** Sends the browser to the provider. Throws ApiError with what the form shows. */
export async function beginProviderSignIn(): Promise<void> {
  const { url } = await exchange(beginOidc, { body: {} })
  location.assign(url)
}

/** Ends a sign-in with the parameters that the provider sent the browser back with. Throws ApiError with what the form shows. */
export async function finishProviderSignIn(answer: string): Promise<{ mustChangePassword: boolean }> {
  return begun((await exchange(finishOidc, { body: { answer } })).must_change_password)
}
