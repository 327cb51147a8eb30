/** As they were when the SDK was loaded: a script that replaces them later changes nothing in what is reported about it. */
export const { parse, stringify } = JSON
