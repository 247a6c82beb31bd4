/** Names of the hints that processes send to each other. */
export const sessionHint = 'assistant.session'
export const commandHint = 'assistant.command'
export const answerHint = 'assistant.answer'
