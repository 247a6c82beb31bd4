import { Type } from 'typebox'

/** Of an address that may name its match by number. */
export const DivisionQuery = {
  division: Type.Optional(
    Type.String({ maxLength: 64, description: 'GUID or short id of the division, for a match named by its number.' }),
  ),
}
