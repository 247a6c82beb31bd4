import { type Static, Type } from 'typebox'

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'How staff tell it from other rehearsals.' })

export const RehearsalBody = Type.Object({ name: Name }, { examples: [{ name: 'Dry run of Friday' }] })
export type RehearsalBody = Static<typeof RehearsalBody>
