/** Names of what holds a password, a token or a key. */
const NAME =
  /(?:^|[^a-z])(?:passw(?:or)?d|passcode|passphrase|pwd|secret(?:[_-]?key)?|api[_-]?key|(?:access|auth)[_-]?token)$/i
/** What is named after a credential without being one: labels, hints, keys of preferences, patterns, formats. */
const NO_CREDENTIAL =
  /hint|label|title|error|invalid|message|regex|pattern|field|column|param|header|extra|url|hash|length|_key_|^key_|_id$/i
/** Whether a field, a resource or a key of this name (`userPassword`, `aws_secret_key`) holds a password, a token or a key. */
export function isCredentialName(name: string): boolean {
  return NAME.test(spaced(name)) && !NO_CREDENTIAL.test(name)
}

/** `userPassword` as `user_Password`: names are matched by their words. */
const spaced = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2')
