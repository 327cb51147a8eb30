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

/** Words of private matters: who somebody is, what was written, said or measured, what opens something. */
const PRIVATE =
  /pass(?:w(?:or)?d|code|phrase)|(?:^|[^a-z])pwd|user|account|log(?:in|s?\b|cat)|credential|token|secret|private|contact|sms|messages?|chat|call_?log|record|location|gps|track|backup|sqlite|databases?|health|patient|card|phone|e_?mail|bank|密码|账号|通讯录|短信|聊天|备份|日志/i
const PRIVATE_FILE = /\.(?:db|sqlite3?|csv|vcf|log|amr|3gpp?|pem|key|p12|jks)$/i

/** Is a method, a file or a folder of this name about something private? */
export const isPrivateName = (name: string): boolean => PRIVATE.test(name) || PRIVATE_FILE.test(name)
