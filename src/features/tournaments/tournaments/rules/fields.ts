import { countCharacters } from '../../../../core/characters.ts'
import { normaliseGuid } from '../../../../core/ids.ts'
import { readName } from '../../../../core/names.ts'
import { invalid } from '../../../../core/problem.ts'
import type { FieldInput } from '../bodies.ts'
import type { AdditionalField } from '../types.ts'

/** How many of the given fields are new and need a GUID. */
export function countNewFields(fields: readonly FieldInput[] = []): number {
  return fields.filter(({ guid }) => guid === undefined).length
}

/** Of all fields of a tournament together, as JSON: lists of tournaments show them whole. */
export const maxFieldsLength = 32_000

/**
 * A field keeps the GUID that it is given with, so that its answers stay with it, and is new without one. A choice needs
 * options, and nothing else has any. Its label is seen, on one line. (additions: Tournament record; D56)
 *
 * Answers to a field that is left out are hidden with it, and come back with its GUID.
 * @param newGuids one for each field without
 * @param current what they replace
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

/** Fields from before there was a bound may be longer: they can be sent as they are, and shortened bit by bit. (rest-interface: Limits; D8) */
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
