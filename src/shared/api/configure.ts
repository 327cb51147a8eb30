/** What the calls need of the page around them. The shell sets it once, at start. */
export type ApiSink = {
  /** Shows a message; `ms` how long, else the usual time. */
  notify(message: string, options?: { ms?: number }): void
  /** Leads to a path of this console. */
  navigate(path: string): void
  /** The session is over and forgotten here: the page is reloaded, which leads to the login page. */
  onSignedOut(): void
  /** The display token of this tab was refused: the wall says 'revoked'. */
  onWallRevoked?(): void
}

let sink: ApiSink = {
  notify: (message) => console.error(message),
  navigate: (path) => location.assign(path),
  onSignedOut: () => location.reload(),
}

export function configureApi(given: ApiSink): void {
  sink = given
}

export function apiSink(): ApiSink {
  return sink
}
