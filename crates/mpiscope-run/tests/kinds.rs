//! Archives of the kinds of events that our agent does not write (yet): each
//! test writes one by hand, and reads it back as the picture it should be.

mod common;

use common::written::{read_back, Attributes, Written};
use expect_test::expect;
use otf2::{Event, MeasurementMode, Value};

fn send(receiver: u32) -> Event {
    Event::MpiSend {
        receiver,
        communicator: 0,
        msg_tag: 0,
        msg_length: 8,
    }
}

fn receive(sender: u32) -> Event {
    Event::MpiRecv {
        sender,
        communicator: 0,
        msg_tag: 0,
        msg_length: 8,
    }
}

#[test]
fn pauses_and_places_in_channels_are_read() {
    let on_off = |measurement_mode| Event::MeasurementOnOff { measurement_mode };
    let place = |number| Attributes::from([("MPISCOPE::SEQUENCE", Value::Uint64(number))]);
    read_back(
        Written::default()
            .event(0, 10, send(1))
            .event(0, 20, on_off(MeasurementMode::OFF))
            .event(0, 30, on_off(MeasurementMode::ON))
            .noted(0, 40, place(7), send(1))
            .noted(1, 50, place(7), receive(0)),
        expect![[r#"
            0: 10 send>1(bytes=8) 20 off 30 on 40 send>1(bytes=8,seq=7)
            1: 50 recv<0(bytes=8,seq=7)
        "#]],
    );
}
