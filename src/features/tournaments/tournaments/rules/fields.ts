import { countCharacters } from '../../../../core/characters.ts'
import { normaliseGuid } from '../../../../core/ids.ts'
import { readName } from '../../../../core/names.ts'
import { invalid } from '../../../../core/problem.ts'
import type { FieldInput } from '../bodies.ts'
import type { AdditionalField } from '../types.ts'

/** The number of given fields that have no GUID yet and need one. */
export function countNewFields(fields: readonly FieldInput[] = []): number {
  return fields.filter(({ guid }) => guid === undefined).length
}

/** The maximum length of all fields of a tournament together, as JSON in characters: lists may include them in full. */
export const maxFieldsLength = 32_000

/**
 * Reads the additional fields. A field with a GUID keeps it, and with it its answers; a field without one is new. Only
 * a choice has options, and it needs some. The label is visible and on one line. (additions: Tournament record; D56)
 *
 * If a field is removed, its answers are hidden. They return when the field is added again with the same GUID.
 * @param newGuids one for each field without a GUID
 * @param current the fields that are replaced
 * @throws Problem `tournament.invalid`, `tournament.fields_too_long`
 */
export function readFields(
  fields: readonly FieldInput[],
  newGuids: readonly string[],
  current: readonly AdditionalField[],
): AdditionalField[] {
  const unused = [...newGuids]
  const read = fields.map((field, index) =>
    readField(field, field.guid ?? unused.shift(), `additionalFields[${index}]`),
  )
  if (new Set(read.map(({ guid }) => guid)).size < read.length) {
    throw invalid('tournament.invalid', 'Two fields in "additionalFields" have the same GUID.')
  }
  checkLength(read, current)
  return read
}

/**
 * Fields that are older than the limit may exceed it. They can be sent unchanged or be shortened step by step.
 * (rest-interface: Limits; D8)
 */
function checkLength(fields: readonly AdditionalField[], current: readonly AdditionalField[]): void {
  const length = countCharacters(JSON.stringify(fields))
  if (length <= maxFieldsLength || length <= countCharacters(JSON.stringify(current))) return
  throw invalid(
    'tournament.fields_too_long',
    `"additionalFields" must not be longer than ${maxFieldsLength} characters of JSON altogether, and would have ${length}.`,
  )
}

function readField(field: FieldInput, guid: string | undefined, where: string): AdditionalField {
  if (guid === undefined) throw new Error('a new field got no GUID')
  const { options = [] } = field
  const label = readName(field.label)
  if (!label.ok) throw invalid('tournament.invalid', `"${where}.label" ${label.reason}.`)
  if (field.type === 'select' && options.length === 0) {
    throw invalid('tournament.invalid', `"${where}" is a choice and needs "options".`)
  }
  if (field.type !== 'select' && options.length > 0) {
    throw invalid('tournament.invalid', `"${where}" may have "options" only if its "type" is select.`)
  }
  if (new Set(options).size < options.length) {
    throw invalid('tournament.invalid', `"${where}" has the same option twice.`)
  }
  return {
    guid: normaliseGuid(guid),
    label: label.value,
    help: field.help || null,
    type: field.type,
    required: field.required ?? false,
    options,
    subject: field.subject ?? 'team',
    private: field.private ?? false,
  }
}
