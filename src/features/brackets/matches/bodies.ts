import { Type } from 'typebox'

/** Query parameters of addresses that may name a match by its number. */
export const DivisionQuery = {
  division: Type.Optional(
    Type.String({ maxLength: 64, description: 'GUID or short id of the division, for a match named by its number.' }),
  ),
}
