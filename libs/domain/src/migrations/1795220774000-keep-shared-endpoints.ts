import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the triggers that keep shared endpoints and their subscriptions consistent. The previous release does not
 * know endpoints, so its `PUT` of a subscription must not change the destination of a shared endpoint. An endpoint
 * shows its subscriptions, so its `updated_dt` changes when a subscription joins, leaves or is deleted, even if its
 * topic is deleted with it.
 */
export class KeepSharedEndpoints1795220774000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(KEEP);
    await runner.query(TOUCH);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const KEEP = `
CREATE FUNCTION keep_shared_destination() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  url text;
BEGIN
  SELECT destination_url INTO url FROM notification_endpoints
  WHERE id = NEW.endpoint_id AND own_subscription_id IS NULL AND destination_url <> NEW.destination_url;
  IF FOUND THEN
    NEW.destination_url := url;
    NEW.destination_origin := CASE WHEN url = OLD.destination_url THEN OLD.destination_origin
      ELSE regexp_replace(lower(substring(url FROM '^[^:]+://[^/?#]+')), '^(https://.*):443$', '\\1') END;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tr_notification_subscriptions_keep_destination
  BEFORE UPDATE OF destination_url ON notification_subscriptions FOR EACH ROW
  WHEN (NEW.destination_url <> OLD.destination_url AND NEW.endpoint_id = OLD.endpoint_id)
  EXECUTE FUNCTION keep_shared_destination();
`;

const TOUCH = `
CREATE FUNCTION touch_endpoints_of_moved() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE notification_endpoints SET updated_dt = date_trunc('milliseconds', clock_timestamp())
  WHERE id IN (OLD.endpoint_id, NEW.endpoint_id) AND own_subscription_id IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER tr_notification_subscriptions_touch_moved
  AFTER UPDATE OF endpoint_id ON notification_subscriptions FOR EACH ROW
  WHEN (NEW.endpoint_id <> OLD.endpoint_id) EXECUTE FUNCTION touch_endpoints_of_moved();

CREATE FUNCTION touch_endpoints_of_deleted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE notification_endpoints SET updated_dt = date_trunc('milliseconds', clock_timestamp())
  WHERE id IN (SELECT endpoint_id FROM deleted) AND own_subscription_id IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER tr_notification_subscriptions_touch_deleted AFTER DELETE ON notification_subscriptions
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION touch_endpoints_of_deleted();
`;

const DOWN = `
DROP TRIGGER tr_notification_subscriptions_keep_destination ON notification_subscriptions;
DROP TRIGGER tr_notification_subscriptions_touch_moved ON notification_subscriptions;
DROP TRIGGER tr_notification_subscriptions_touch_deleted ON notification_subscriptions;
DROP FUNCTION keep_shared_destination, touch_endpoints_of_moved, touch_endpoints_of_deleted;
`;
