/** Lets lines break inside long names, behind the marks that part them: without it a class name runs out of its cell. */
export function breakable(text: string): string {
  return text.replace(/([./:$_(;,-])(?=[^\s\u200b]{8})/g, '$1\u200b').replace(/[^\s\u200b]{28}(?=[^\s\u200b])/g, '$&\u200b')
}

/** Characters that no document format carries. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what goes
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]/g, (one) =>
    one >= '\ud800' && one <= '\udfff' ? '\ufffd' : '',
  )
}
