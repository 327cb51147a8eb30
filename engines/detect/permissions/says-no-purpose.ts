/** Of a text in other letters; a Chinese one says as much with fewer. */
const SHORTEST = 8
const SHORTEST_CHINESE = 6
/** What is written where no one thought of a purpose, without spaces and punctuation. */
const PLACEHOLDER =
  /^(?:test(?:ing)?|todo|tbd|xxx+|need(?:ed|s)?(?:permission|access)?|required|permissions?(?:required|needed)?|access|use|(?:app|应用|我们)?(?:需要|请求|请|想要)?(?:允许|获取|使用|申请)?(?:您的)?(?:访问|权限|授权)?(?:权限)?|描述|说明|用途(?:说明)?|(?:测试)+|待定)$/iu

/** Is a usage description empty, a placeholder, or too short to name a purpose? */
export function saysNoPurpose(description: string): boolean {
  const text = description.trim()
  const letters = text.replaceAll(/[^\p{L}\p{N}]/gu, '')
  if (PLACEHOLDER.test(letters)) return true
  return [...text].length < (/\p{Script=Han}/u.test(letters) ? SHORTEST_CHINESE : SHORTEST)
}
