ALTER TABLE "users" ADD COLUMN "awaited_chat_id" text;--> statement-breakpoint
CREATE INDEX "users_awaited" ON "users" USING btree ("awaited_chat_id") WHERE "users"."awaited_chat_id" is not null;
