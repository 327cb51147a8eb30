import type { LinearPattern } from './linear-pattern.ts'

/** A value in a rule: a text, a number, or a pattern between slashes. */
export type RuleValue =
  | { readonly kind: 'text'; readonly value: string; readonly position: number }
  | { readonly kind: 'number'; readonly value: number; readonly position: number }
  | { readonly kind: 'pattern'; readonly pattern: LinearPattern; readonly position: number }

export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!='

export type RuleExpression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly RuleExpression[] }
  | { readonly kind: 'not'; readonly part: RuleExpression }
  | {
      readonly kind: 'question'
      readonly name: string
      readonly values: readonly RuleValue[]
      readonly position: number
    }
  | {
      readonly kind: 'compare'
      readonly name: 'minSdk' | 'targetSdk'
      readonly comparison: Comparison
      readonly value: number
    }

/** What is wrong with a rule, and where: a count of characters from its begin. */
export class RuleSyntaxError extends Error {
  readonly position: number
  readonly text: { readonly zh: string; readonly en: string }
  constructor(position: number, zh: string, en: string) {
    super(`${en} at ${position}`)
    this.name = 'RuleSyntaxError'
    this.position = position
    this.text = { zh, en }
  }
}

type ValueKind = RuleValue['kind']

/** A question that a rule may ask: what it takes, and what it means, for the console's help. */
export interface Question {
  readonly name: string
  /** Kinds of each value; the last one may be repeated where `more` is set. */
  readonly takes: readonly (readonly ValueKind[])[]
  /** How many values must be there. */
  readonly least: number
  readonly about: { readonly zh: string; readonly en: string }
}

const T: readonly ValueKind[] = ['text']
const TP: readonly ValueKind[] = ['text', 'pattern']
const N: readonly ValueKind[] = ['number']
const ANY: readonly ValueKind[] = ['text', 'number', 'pattern']

export const QUESTIONS: readonly Question[] = [
  {
    name: 'call',
    takes: [T, N, ANY],
    least: 1,
    about: {
      zh: '代码调用该方法；可再给参数序号与其常量值',
      en: 'code calls the method; an argument by number and its constant may follow',
    },
  },
  {
    name: 'ownCall',
    takes: [T, N, ANY],
    least: 1,
    about: { zh: '自有代码调用该方法', en: 'own code calls the method' },
  },
  { name: 'field', takes: [T], least: 1, about: { zh: '代码使用该字段', en: 'code uses the field' } },
  {
    name: 'class',
    takes: [TP],
    least: 1,
    about: { zh: '包中定义了该类（描述符）', en: 'the package defines the class, by descriptor' },
  },
  { name: 'extends', takes: [T], least: 1, about: { zh: '有类继承或实现它', en: 'a class extends or implements it' } },
  { name: 'string', takes: [TP], least: 1, about: { zh: '代码加载该字符串', en: 'code loads the string' } },
  { name: 'resource', takes: [TP], least: 1, about: { zh: '资源中有该文本', en: 'a resource holds the text' } },
  { name: 'entry', takes: [TP], least: 1, about: { zh: '包中有该文件', en: 'the package has the file' } },
  {
    name: 'permission',
    takes: [TP],
    least: 1,
    about: { zh: '清单申请该权限', en: 'the manifest asks for the permission' },
  },
  {
    name: 'component',
    takes: [T, TP],
    least: 1,
    about: { zh: '清单声明该类组件，可再给名称', en: 'the manifest has a component of the kind; its name may follow' },
  },
  {
    name: 'exported',
    takes: [T, TP],
    least: 1,
    about: { zh: '清单有导出的该类组件', en: 'the manifest has an exported component of the kind' },
  },
  {
    name: 'manifest',
    takes: [T, TP],
    least: 1,
    about: { zh: 'application 的属性，可再给其值', en: 'an attribute of the application; its value may follow' },
  },
  {
    name: 'metaData',
    takes: [TP, TP],
    least: 1,
    about: { zh: 'meta-data 的名称，可再给其值', en: 'a meta-data by name; its value may follow' },
  },
  { name: 'sdk', takes: [T], least: 1, about: { zh: '包含该 SDK（编号）', en: 'the SDK is there, by id' } },
  { name: 'native', takes: [TP], least: 1, about: { zh: '有该原生库', en: 'the native library is there' } },
  {
    name: 'import',
    takes: [TP],
    least: 1,
    about: { zh: '原生库导入该符号', en: 'a native library imports the symbol' },
  },
  {
    name: 'certificate',
    takes: [TP],
    least: 1,
    about: { zh: '签名证书的主体或 SHA-256', en: 'subject or SHA-256 of a signer certificate' },
  },
]

export const QUESTION_BY_NAME: ReadonlyMap<string, Question> = new Map(
  QUESTIONS.map((question) => [question.name, question]),
)
