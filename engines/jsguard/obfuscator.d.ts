/** The build of the package that needs no other package: it is part of our bundles, and of nothing that is loaded at run time. */
declare module 'javascript-obfuscator/dist/index.browser.js' {
  /** Its options by name; `strength-options.ts` has all that are used. Unknown names and values are refused when it runs. */
  export type ObfuscatorOptions = Readonly<Record<string, boolean | number | string | readonly string[]>>
  const obfuscator: {
    obfuscate(source: string, options: ObfuscatorOptions): { getObfuscatedCode(): string; getSourceMap(): string }
  }
  export default obfuscator
}
