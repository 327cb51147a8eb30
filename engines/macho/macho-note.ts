export interface MachoNote {
  readonly key: 'command' | 'segment' | 'symbols' | 'signature' | 'entitlements' | 'strings'
  readonly offset: number
  readonly detail: string
}
