import { type Static, Type } from 'typebox'
import { shapeOf } from '../src/core/shape.ts'
import type { Refusal, Words } from './channels.ts'

/** The messages that the chat platform accepts. (domain: 8.4) */

const limits = {
  content: 2_000,
  embeds: 10,
  textOfEmbeds: 6_000,
  title: 256,
  description: 4_096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1_024,
}

const text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Draft = Type.Object({
  content: text,
  embeds: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(
        Type.Object({
          title: text,
          description: text,
          fields: Type.Optional(
            Type.Array(
              Type.Object({ name: Type.String(), value: Type.String(), inline: Type.Optional(Type.Boolean()) }),
            ),
          ),
        }),
      ),
    ]),
  ),
})
type Draft = Static<typeof Draft>
const draftShape = shapeOf(Draft)

const silence: Words = { content: '', embeds: [] }

/** The content of a message, in which members that are not given stay unchanged; or why the platform refuses it. */
export function readWords(body: unknown, before: Words = silence): Words | Refusal {
  if (!draftShape.check(body)) return invalidBody('_misc', 'MODEL_TYPE_CONVERT', 'The body has another form.')
  const words = { ...before, ...givenOf(body) }
  if (words.content.trim() === '' && words.embeds.length === 0) {
    return { status: 400, body: { message: 'Cannot send an empty message', code: 50_006 } }
  }
  if (words.content.length > limits.content) return tooLong('content', limits.content)
  if (words.embeds.length > limits.embeds) return tooLong('embeds', limits.embeds)
  const isSound = words.embeds.every(isSoundEmbed) && textOf(words.embeds).length <= limits.textOfEmbeds
  return isSound ? words : invalidBody('embeds', 'BASE_TYPE_BAD_LENGTH', 'An embed is empty, or too long.')
}

function givenOf({ content, embeds }: Draft): Partial<Words> {
  return {
    ...(content === undefined ? {} : { content: content ?? '' }),
    ...(embeds === undefined ? {} : { embeds: (embeds ?? []).map(embedOf) }),
  }
}

type Embed = Words['embeds'][number]

/** Keeps only these members of an embed. */
function embedOf({ title, description, fields = [] }: NonNullable<Draft['embeds']>[number]): Embed {
  return {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    fields: fields.map(({ name, value, inline = false }) => ({ name, value, inline })),
  }
}

function isSoundEmbed({ title = '', description = '', fields }: Embed): boolean {
  return (
    title.length <= limits.title &&
    description.length <= limits.description &&
    fields.length <= limits.fields &&
    fields.every(({ name, value }) => isWithin(name, limits.fieldName) && isWithin(value, limits.fieldValue)) &&
    (title !== '' || description !== '' || fields.length > 0)
  )
}

function isWithin(part: string, max: number): boolean {
  return part.trim() !== '' && part.length <= max
}

function textOf(embeds: readonly Embed[]): string {
  const parts = embeds.flatMap(({ title = '', description = '', fields }) => [
    title,
    description,
    ...fields.flatMap(({ name, value }) => [name, value]),
  ])
  return parts.join('')
}

function tooLong(member: string, max: number): Refusal {
  return invalidBody(member, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`)
}

function invalidBody(member: string, code: string, message: string): Refusal {
  const errors = { [member]: { _errors: [{ code, message }] } }
  return { status: 400, body: { message: 'Invalid Form Body', code: 50_035, errors } }
}
