import { readFlag } from '../../../core/flags.ts'

/** The options of a subscription, given as members or in the topic's name. */
export interface Options {
  readonly topic: string
  readonly facts?: boolean | undefined
  readonly delayed?: boolean | undefined
}

export interface Plain {
  /** The name without options. */
  readonly plain: string
  readonly facts: boolean
  readonly delayed: boolean
}

/**
 * Reads the options of a topic. Topics in answers carry their options in the name (`?facts=1&delayed=1`), and later
 * requests, over any transport, may use that name. An option in the name takes precedence over one outside it.
 * (realtime: Packets; D83)
 */
export function withoutOptions({ topic, facts = false, delayed = false }: Options): Plain {
  const at = topic.indexOf('?')
  if (at < 0) return { plain: topic, facts, delayed }
  const options: { facts?: boolean; delayed?: boolean } = {}
  const members = topic
    .slice(at + 1)
    .split('&')
    .filter((member) => {
      const [name, value = ''] = member.split('=', 2)
      if (name !== 'facts' && name !== 'delayed') return true
      const flag = readFlag(value)
      // An option that is no boolean, or is given twice, stays in the name, which is then refused.
      if (flag === undefined || options[name] !== undefined) return true
      options[name] = flag
      return false
    })
  const plain = members.length === 0 ? topic.slice(0, at) : `${topic.slice(0, at)}?${members.join('&')}`
  return { plain, facts: options.facts ?? facts, delayed: options.delayed ?? delayed }
}
