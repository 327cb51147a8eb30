import { defineTexts } from '#src/shared/i18n/texts.ts'

export const policyTexts = defineTexts('self-check-policy', {
  policy: { zh: '隐私政策', en: 'Privacy policy' },
  none: {
    zh: '尚未提供：隐私检测无法比对政策与代码，除非包内带有政策文本。',
    en: 'Not given: privacy detection has nothing to compare code with, unless the package holds a policy.',
  },
  given: { zh: '{{count}} 字', en: '{{count}} characters', one: '{{count}} character' },
  pasted: { zh: '粘贴的文本', en: 'Pasted text' },
  by: { zh: '{{by}} 提供', en: 'given by {{by}}' },
  add: { zh: '提供政策', en: 'Give the policy' },
  change: { zh: '查看或更换', en: 'See or replace' },
  note: {
    zh: '粘贴正文，或选择 txt、md、html 文件。保存后，下一次隐私检测将据此比对；已完成的检测不变。',
    en: 'Paste the text or choose a txt, md or html file. The next privacy detection compares with it; finished ones stay as they are.',
  },
  text: { zh: '政策正文', en: 'Text of the policy' },
  file: { zh: '选择文件', en: 'Choose a file' },
  notText: { zh: '该文件不是文本', en: 'The file is no text' },
  wrongKind: { zh: '仅支持 txt、md、html 文件', en: 'Only txt, md and html files are taken' },
  short: { zh: '至少 {{least}} 字', en: 'At least {{least}} characters' },
  long: { zh: '最多 {{most}} 字', en: 'At most {{most}} characters' },
  save: { zh: '保存', en: 'Save' },
  saved: { zh: '已保存，重新检测后生效', en: 'Saved: detect again to have it compared' },
  remove: { zh: '移除政策', en: 'Remove the policy' },
  removeAsk: { zh: '移除该应用的隐私政策？', en: 'Remove the privacy policy of this application?' },
  removeText: {
    zh: '之后的隐私检测不再有可比对的文本；已完成的检测不变。',
    en: 'Later privacy detections have no text to compare with; finished ones stay as they are.',
  },
})
