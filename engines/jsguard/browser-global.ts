// The obfuscator's self-contained build looks for the global object under the name that browsers have for it.
Object.assign(globalThis, { self: globalThis })
