import { CATALOGUE } from './catalogue.ts'

/** Grows whenever the engines say something else of the same package: then the same question is a new task. */
const ENGINE = 1

export const ENGINE_VERSION = `${ENGINE}, ${CATALOGUE.version}`
