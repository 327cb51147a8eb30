/**
 * What a person calls the text fields that must not be empty, by their name in the contract: the words of input.empty
 * ('请输入名称', 'Please enter a name'). A test walks over all contracts and names a required field that is missing here.
 */
export const FIELD_WORDS: Readonly<Record<string, { zh: string; en: string }>> = {
  channel_key: { zh: '键', en: 'a key' },
  content: { zh: '内容', en: 'the text' },
  expression: { zh: '表达式', en: 'an expression' },
  group: { zh: '组', en: 'a group' },
  groups_claim: { zh: '组声明的名称', en: 'the name of the groups claim' },
  key: { zh: '角色', en: 'a role' },
  keyword: { zh: '关键词', en: 'a keyword' },
  name: { zh: '名称', en: 'a name' },
  number: { zh: '编号', en: 'a number' },
  reason: { zh: '原因', en: 'a reason' },
  role: { zh: '角色', en: 'a role' },
  subject: { zh: '主题', en: 'a subject' },
  text: { zh: '内容', en: 'a text' },
  title: { zh: '标题', en: 'a title' },
  version: { zh: '版本', en: 'the version' },
  zone: { zh: '时区', en: 'a time zone' },
}
