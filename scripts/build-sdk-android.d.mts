export function findJavac(): string | undefined
export function compileAndroid(folder: string, more?: readonly string[]): void
