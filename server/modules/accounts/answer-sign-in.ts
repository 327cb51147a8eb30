import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.ts'
import { setJwtCookie, setSessionCookie } from '../../http/cookies.ts'
import type { SessionKeys } from '../../http/session-keys.ts'
import type { Session } from '../../http/sessions.ts'

/** Gives the browser its new session, and answers a sign-in. */
export async function answerSignIn(
  config: Config,
  keys: SessionKeys,
  reply: FastifyReply,
  { cookie, session }: { cookie: string; session: Session },
): Promise<{ username: string; must_change_password: boolean }> {
  setSessionCookie(reply, config, cookie)
  setJwtCookie(reply, config, await keys.issueJwt(session.label))
  return { username: session.user.username, must_change_password: session.user.mustChangePassword }
}
