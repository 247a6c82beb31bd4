import { readFlag } from '../../../core/flags.ts'

/** How a topic is asked for, beside its name. */
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
 * Topics in answers carry their options as members of the query (`?facts=1&delayed=1`); what is asked later, at any door, may
 * name them so. An option in the name holds, whatever stands beside the name. (realtime: Packets; D83)
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
      // What is no boolean, or stands there twice, stays in the name, for which it is refused.
      if (flag === undefined || options[name] !== undefined) return true
      options[name] = flag
      return false
    })
  const plain = members.length === 0 ? topic.slice(0, at) : `${topic.slice(0, at)}?${members.join('&')}`
  return { plain, facts: options.facts ?? facts, delayed: options.delayed ?? delayed }
}
