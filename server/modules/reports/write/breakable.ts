/** Lets lines break inside long names, behind the marks that part them: without it a class name runs out of its cell. */
export function breakable(text: string): string {
  return text
    .replace(/([./:$_(;,-])(?=[^\s\u200b]{8})/g, '$1\u200b')
    .replace(/[^\s\u200b]{28}(?=[^\s\u200b])/g, '$&\u200b')
}

/** Leaves out characters that no document may contain or that turn its text around: control, format and half characters. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (one) => (one === '\n' || one === '\t' || one === '\u200b' ? one : ''))
}
