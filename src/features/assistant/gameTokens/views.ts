import { Type } from 'typebox'

export const GameTokenView = Type.Object({
  token: Type.String({
    description: 'A JWT for servers of assistants, for a day; nothing here takes it.',
    examples: ['eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl'],
  }),
})
